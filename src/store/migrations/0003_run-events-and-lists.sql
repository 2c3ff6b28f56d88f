CREATE TABLE "run_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" uuid NOT NULL,
	"event" text NOT NULL,
	"status" text NOT NULL,
	"scoring_status" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_event_event" CHECK ("run_event"."event" in ('run_created', 'run_changed'))
);
--> statement-breakpoint
DROP INDEX "run_unscored";--> statement-breakpoint
ALTER TABLE "run_event" ADD CONSTRAINT "run_event_run_id_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_event_run" ON "run_event" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "run_status_newest" ON "run" USING btree ("status","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "run_scoring_newest" ON "run" USING btree ("scoring_status","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "run_surface_newest" ON "run" USING btree ("provider_surface","created_at" DESC NULLS LAST);
--> statement-breakpoint
-- At commit, when all else is done: the lock that orders the numbers is held for a moment only, however long the transaction was.
CREATE FUNCTION run_event_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(752002);
  -- A run that was deleted again in the same transaction never was.
  INSERT INTO run_event (run_id, event, status, scoring_status)
    SELECT id, TG_ARGV[0], NEW.status, NEW.scoring_status FROM run WHERE id = NEW.id;
  PERFORM pg_notify('waymark', 'runs');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER run_created AFTER INSERT ON "run"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION run_event_write('run_created');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER run_changed AFTER UPDATE OF "status", "scoring_status" ON "run"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.scoring_status IS DISTINCT FROM NEW.scoring_status)
  EXECUTE FUNCTION run_event_write('run_changed');
