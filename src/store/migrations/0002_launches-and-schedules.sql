ALTER TABLE "run" ADD COLUMN "launch_attempt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "judge_provider_id" uuid;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "judge_surface" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "next_run_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "last_fired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "last_problem" text;--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_judge_is_api" FOREIGN KEY ("judge_provider_id","judge_surface") REFERENCES "public"."provider"("id","surface") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_schedule" ON "run" USING btree ("schedule_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "run_under_way" ON "run" USING btree ("status") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "schedule_due" ON "schedule" USING btree ("next_run_at") WHERE enabled;--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_launch_attempt_positive" CHECK ("run"."launch_attempt" >= 0);--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_judge_surface" CHECK ("schedule"."judge_surface" = 'api');