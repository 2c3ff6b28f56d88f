CREATE TABLE "dataset_version" (
	"dataset_id" uuid NOT NULL,
	"version_hash" text NOT NULL,
	"item_count" integer NOT NULL,
	"items" text NOT NULL,
	"current_from" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dataset_version_dataset_id_version_hash_pk" PRIMARY KEY("dataset_id","version_hash"),
	CONSTRAINT "dataset_version_kept_hash_form" CHECK ("dataset_version"."version_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "idempotency_key" (
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"run_id" uuid NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_key_operation_key_pk" PRIMARY KEY("operation","key"),
	CONSTRAINT "idempotency_key_operation" CHECK ("idempotency_key"."operation" in ('import', 'launch')),
	CONSTRAINT "idempotency_key_length" CHECK (char_length("idempotency_key"."key") between 1 and 200),
	CONSTRAINT "idempotency_key_request_hash_form" CHECK ("idempotency_key"."request_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "import" DROP CONSTRAINT "import_run";--> statement-breakpoint
ALTER TABLE "import" DROP CONSTRAINT "import_idempotency_key";--> statement-breakpoint
ALTER TABLE "import" DROP CONSTRAINT "import_key_length";--> statement-breakpoint
ALTER TABLE "import" ADD COLUMN "part" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "dataset_version" ADD CONSTRAINT "dataset_version_dataset_id_dataset_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."dataset"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_pack" ON "import" USING btree ("pack_id");--> statement-breakpoint
-- Keys of imports are kept with those of other requests.
INSERT INTO "idempotency_key" ("operation", "key", "request_hash", "run_id", "answer", "created_at")
  SELECT 'import', "idempotency_key", "payload_sha256", "run_id", jsonb_build_object('import_id', "id"), "created_at"
  FROM "import" WHERE "idempotency_key" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "import" DROP COLUMN "idempotency_key";--> statement-breakpoint
ALTER TABLE "import" ADD CONSTRAINT "import_run_part" UNIQUE("run_id","part");--> statement-breakpoint
ALTER TABLE "import" ADD CONSTRAINT "import_part_positive" CHECK ("import"."part" >= 1);