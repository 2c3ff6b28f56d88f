ALTER TABLE "run" ADD COLUMN "tags" text[];--> statement-breakpoint
CREATE INDEX "run_tags" ON "run" USING gin ("tags");