CREATE TABLE "artifact" (
	"key" text PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"bytes" bigint NOT NULL,
	"content_type" text DEFAULT 'application/octet-stream' NOT NULL,
	"run_id" uuid,
	"episode_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "artifact_hash_form" CHECK ("artifact"."sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "artifact_bytes_positive" CHECK ("artifact"."bytes" >= 0)
);
--> statement-breakpoint
CREATE TABLE "import" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"pack_id" uuid,
	"payload_sha256" text NOT NULL,
	"payload_bytes" integer NOT NULL,
	"idempotency_key" text,
	"provider_reused" boolean NOT NULL,
	"dataset_reused" boolean NOT NULL,
	"scoring_queued" boolean NOT NULL,
	"counts" jsonb NOT NULL,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"meta" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_run" UNIQUE("run_id"),
	CONSTRAINT "import_payload" UNIQUE("payload_sha256"),
	CONSTRAINT "import_idempotency_key" UNIQUE("idempotency_key"),
	CONSTRAINT "import_payload_hash_form" CHECK ("import"."payload_sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "import_key_length" CHECK (char_length("import"."idempotency_key") between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "dataset" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"version_hash" text NOT NULL,
	"item_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dataset_name_length" CHECK (char_length("dataset"."name") between 1 and 200),
	CONSTRAINT "dataset_version_hash_form" CHECK ("dataset"."version_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "dataset_item_count_positive" CHECK ("dataset"."item_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "dataset_item" (
	"dataset_id" uuid NOT NULL,
	"id" text NOT NULL,
	"seq" integer NOT NULL,
	"type" text NOT NULL,
	"section" text DEFAULT '' NOT NULL,
	"prompt_text" text NOT NULL,
	"choices" jsonb,
	"answer" jsonb,
	"checker" jsonb,
	"criteria" jsonb,
	"meta" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "dataset_item_dataset_id_id_pk" PRIMARY KEY("dataset_id","id"),
	CONSTRAINT "dataset_item_seq" UNIQUE("dataset_id","seq"),
	CONSTRAINT "dataset_item_id_length" CHECK (char_length("dataset_item"."id") between 1 and 200),
	CONSTRAINT "dataset_item_type" CHECK ("dataset_item"."type" in ('mcq_single', 'mcq_multi', 'freeform', 'numeric', 'regex', 'judge'))
);
--> statement-breakpoint
CREATE TABLE "episode" (
	"id" text PRIMARY KEY NOT NULL,
	"run_name" text NOT NULL,
	"task" text NOT NULL,
	"variant" text DEFAULT '' NOT NULL,
	"agent" text DEFAULT '' NOT NULL,
	"journal" text NOT NULL,
	"journal_sha256" text NOT NULL,
	"outcome" text NOT NULL,
	"reward" double precision,
	"steps" integer NOT NULL,
	"result" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episode_journal" UNIQUE("journal"),
	CONSTRAINT "episode_journal_hash_form" CHECK ("episode"."journal_sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "episode_steps_positive" CHECK ("episode"."steps" >= 0)
);
--> statement-breakpoint
CREATE TABLE "pack" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"dataset_id" uuid NOT NULL,
	"version_hash" text NOT NULL,
	"item_ids" jsonb NOT NULL,
	"item_ids_hash" text NOT NULL,
	"item_count" integer NOT NULL,
	"target" jsonb NOT NULL,
	"judge" jsonb,
	"judge_provider_id" uuid,
	"judge_surface" text DEFAULT 'api' NOT NULL,
	"jti" text NOT NULL,
	"kid" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pack_jti" UNIQUE("jti"),
	CONSTRAINT "pack_judge_surface" CHECK ("pack"."judge_surface" = 'api'),
	CONSTRAINT "pack_version_hash_form" CHECK ("pack"."version_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "pack_item_ids_hash_form" CHECK ("pack"."item_ids_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "pack_not_empty" CHECK ("pack"."item_count" > 0)
);
--> statement-breakpoint
CREATE TABLE "provider" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"surface" text NOT NULL,
	"name" text NOT NULL,
	"kind" text,
	"base_url" text,
	"key_env" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"target_preset" text,
	"target_origin" text,
	"target_name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_id_surface" UNIQUE("id","surface"),
	CONSTRAINT "provider_target" UNIQUE("target_preset","target_origin"),
	CONSTRAINT "provider_name_length" CHECK (char_length("provider"."name") between 1 and 200),
	CONSTRAINT "provider_surface" CHECK ("provider"."surface" in ('api', 'browser')),
	CONSTRAINT "provider_kind" CHECK ("provider"."kind" in ('openai', 'anthropic', 'google', 'openai-compatible', 'ollama')),
	CONSTRAINT "provider_key_env_form" CHECK ("provider"."key_env" ~ '^[A-Za-z_][A-Za-z0-9_]*$' and char_length("provider"."key_env") <= 100),
	CONSTRAINT "provider_surface_rules" CHECK (case "provider"."surface"
        when 'api' then "provider"."kind" is not null and "provider"."target_preset" is null and "provider"."target_origin" is null and "provider"."target_name" is null
        else "provider"."kind" is null and "provider"."base_url" is null and "provider"."key_env" is null
          and "provider"."target_preset" is not null and "provider"."target_origin" is not null and "provider"."target_name" is not null
      end)
);
--> statement-breakpoint
CREATE TABLE "run" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"dataset_id" uuid NOT NULL,
	"dataset_version_hash" text NOT NULL,
	"provider_id" uuid NOT NULL,
	"provider_surface" text NOT NULL,
	"model" text,
	"status" text NOT NULL,
	"status_reason" text,
	"scoring_status" text DEFAULT 'none' NOT NULL,
	"scoring_reason" text,
	"scoring_attempt" integer DEFAULT 0 NOT NULL,
	"triggered_by" text NOT NULL,
	"schedule_id" uuid,
	"config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"judge_provider_id" uuid,
	"judge_surface" text DEFAULT 'api' NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"model_labels" text[] DEFAULT '{}' NOT NULL,
	"item_count" integer NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"imported_at" timestamp (3) with time zone,
	"log_seq" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_judge_surface" CHECK ("run"."judge_surface" = 'api'),
	CONSTRAINT "run_status" CHECK ("run"."status" in ('queued', 'running', 'completed', 'failed', 'cancelled')),
	CONSTRAINT "run_scoring_status" CHECK ("run"."scoring_status" in ('none', 'queued', 'running', 'done', 'partial', 'failed', 'blocked')),
	CONSTRAINT "run_scoring_attempt_positive" CHECK ("run"."scoring_attempt" >= 0),
	CONSTRAINT "run_triggered_by" CHECK ("run"."triggered_by" in ('manual', 'schedule', 'browser_harness')),
	CONSTRAINT "run_surface_rules" CHECK (("run"."provider_surface" = 'browser') = ("run"."triggered_by" = 'browser_harness') and ("run"."provider_surface" = 'browser') = ("run"."imported_at" is not null)),
	CONSTRAINT "run_version_hash_form" CHECK ("run"."dataset_version_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "run_item_count_positive" CHECK ("run"."item_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "run_item" (
	"run_id" uuid NOT NULL,
	"dataset_item_id" text NOT NULL,
	"seq" integer NOT NULL,
	"status" text NOT NULL,
	"prompt_text" text NOT NULL,
	"response" text,
	"error_code" text,
	"error_message" text,
	"model_label" text,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"latency_ms" integer,
	"item" jsonb NOT NULL,
	CONSTRAINT "run_item_run_id_dataset_item_id_pk" PRIMARY KEY("run_id","dataset_item_id"),
	CONSTRAINT "run_item_seq" UNIQUE("run_id","seq"),
	CONSTRAINT "run_item_status" CHECK ("run_item"."status" in ('pending', 'answered', 'error', 'missing')),
	CONSTRAINT "run_item_latency_positive" CHECK ("run_item"."latency_ms" >= 0),
	CONSTRAINT "run_item_status_rules" CHECK (case "run_item"."status"
        when 'answered' then "run_item"."response" is not null and "run_item"."error_code" is null
        when 'error' then "run_item"."error_code" is not null
        else "run_item"."response" is null and "run_item"."error_code" is null
      end)
);
--> statement-breakpoint
CREATE TABLE "run_log" (
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"level" text NOT NULL,
	"code" text NOT NULL,
	"message" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "run_log_run_id_seq_pk" PRIMARY KEY("run_id","seq"),
	CONSTRAINT "run_log_level" CHECK ("run_log"."level" in ('debug', 'info', 'warning', 'error'))
);
--> statement-breakpoint
CREATE TABLE "schedule" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"cron" text NOT NULL,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"dataset_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"provider_surface" text DEFAULT 'api' NOT NULL,
	"model" text NOT NULL,
	"config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedule_provider_surface" CHECK ("schedule"."provider_surface" = 'api'),
	CONSTRAINT "schedule_name_length" CHECK (char_length("schedule"."name") between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "score" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "score_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" uuid NOT NULL,
	"dataset_item_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"method" text NOT NULL,
	"value" double precision,
	"verdict" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"judge" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "score_once_an_attempt" UNIQUE("run_id","dataset_item_id","attempt"),
	CONSTRAINT "score_attempt_positive" CHECK ("score"."attempt" >= 1),
	CONSTRAINT "score_verdict" CHECK ("score"."verdict" in ('pass', 'fail', 'error', 'skipped')),
	CONSTRAINT "score_value_range" CHECK ("score"."value" between 0 and 1),
	CONSTRAINT "score_value_rules" CHECK (("score"."value" is not null) = ("score"."verdict" in ('pass', 'fail')))
);
--> statement-breakpoint
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_episode_id_episode_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episode"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import" ADD CONSTRAINT "import_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import" ADD CONSTRAINT "import_pack_id_pack_id_fk" FOREIGN KEY ("pack_id") REFERENCES "public"."pack"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_item" ADD CONSTRAINT "dataset_item_dataset_id_dataset_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."dataset"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pack" ADD CONSTRAINT "pack_dataset_id_dataset_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."dataset"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pack" ADD CONSTRAINT "pack_judge_is_api" FOREIGN KEY ("judge_provider_id","judge_surface") REFERENCES "public"."provider"("id","surface") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_dataset_id_dataset_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."dataset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_schedule_id_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedule"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_provider" FOREIGN KEY ("provider_id","provider_surface") REFERENCES "public"."provider"("id","surface") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_judge_is_api" FOREIGN KEY ("judge_provider_id","judge_surface") REFERENCES "public"."provider"("id","surface") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_item" ADD CONSTRAINT "run_item_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_log" ADD CONSTRAINT "run_log_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_dataset_id_dataset_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."dataset"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_provider_is_api" FOREIGN KEY ("provider_id","provider_surface") REFERENCES "public"."provider"("id","surface") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "score" ADD CONSTRAINT "score_run_item" FOREIGN KEY ("run_id","dataset_item_id") REFERENCES "public"."run_item"("run_id","dataset_item_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "artifact_run" ON "artifact" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "artifact_episode" ON "artifact" USING btree ("episode_id");--> statement-breakpoint
CREATE INDEX "episode_run" ON "episode" USING btree ("run_name","task");--> statement-breakpoint
CREATE INDEX "episode_newest" ON "episode" USING btree ("started_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "pack_dataset" ON "pack" USING btree ("dataset_id");--> statement-breakpoint
CREATE INDEX "run_newest" ON "run" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "run_dataset" ON "run" USING btree ("dataset_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "run_provider_newest" ON "run" USING btree ("provider_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "run_unscored" ON "run" USING btree ("scoring_status") WHERE scoring_status in ('queued', 'running');