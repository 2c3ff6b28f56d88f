ALTER TABLE "grade" ADD COLUMN "reasoning" text;--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "model" text;--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "cost" jsonb;