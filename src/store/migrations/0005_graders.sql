CREATE TABLE "further_grading" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"request" jsonb NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "further_grading_status" CHECK ("further_grading"."status" in ('queued', 'running', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "reasoning" text;--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "model" text;--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "cost" jsonb;--> statement-breakpoint
ALTER TABLE "further_grading" ADD CONSTRAINT "further_grading_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "further_grading_run" ON "further_grading" USING btree ("run_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "further_grading_open" ON "further_grading" USING btree ("run_id") WHERE status in ('queued', 'running');