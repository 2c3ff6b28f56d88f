ALTER TABLE "schedule" ALTER COLUMN "dataset_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule" ALTER COLUMN "provider_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule" ALTER COLUMN "model" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "last_run_id" text;--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_kind" CHECK (("schedule"."dataset_id" is null) = ("schedule"."provider_id" is null) and ("schedule"."dataset_id" is null) = ("schedule"."model" is null));