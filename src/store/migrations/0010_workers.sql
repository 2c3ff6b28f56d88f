CREATE TABLE "run_work" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"package_key" text NOT NULL,
	"needs" text[] DEFAULT '{}' NOT NULL,
	"secrets" text[] DEFAULT '{}' NOT NULL,
	"labels" text[] DEFAULT '{}' NOT NULL,
	"ender" text,
	"ender_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "worker" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"version" text NOT NULL,
	"labels" text[] DEFAULT '{}' NOT NULL,
	"concurrency" integer NOT NULL,
	"running" integer DEFAULT 0 NOT NULL,
	"draining" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "run_work" ADD CONSTRAINT "run_work_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;