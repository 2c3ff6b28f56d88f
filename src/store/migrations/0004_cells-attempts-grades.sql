-- Runs become runs of cells with attempts, and scores become grades. This file makes the tables; upgrade/upgrade-rows.ts then moves the rows of
-- run_item into cell and attempt, a few at a time, and drops it.
CREATE TABLE "cell" (
	"run_id" uuid NOT NULL,
	"case_id" text NOT NULL,
	"trial" integer DEFAULT 1 NOT NULL,
	"seq" integer NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"counted" integer,
	"result" text,
	"lease" integer DEFAULT 0 NOT NULL,
	"worker" text,
	"lease_until" timestamp (3) with time zone,
	"snapshot" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "cell_run_id_case_id_trial_pk" PRIMARY KEY("run_id","case_id","trial"),
	CONSTRAINT "cell_seq" UNIQUE("run_id","seq"),
	CONSTRAINT "cell_trial_positive" CHECK ("cell"."trial" >= 1),
	CONSTRAINT "cell_state" CHECK ("cell"."state" in ('pending', 'running', 'finished', 'missing')),
	CONSTRAINT "cell_result" CHECK ("cell"."result" in ('answered', 'error', 'passed', 'failed', 'timeout', 'max_steps', 'adapter_error', 'tool_error')),
	CONSTRAINT "cell_counted_rules" CHECK (("cell"."counted" is null) = ("cell"."result" is null)),
	CONSTRAINT "cell_counted_exists" CHECK ("cell"."counted" between 1 and "cell"."attempts"),
	CONSTRAINT "cell_state_rules" CHECK (case "cell"."state"
        when 'finished' then "cell"."counted" is not null
        when 'running' then "cell"."worker" is not null and "cell"."lease_until" is not null
        else true
      end)
);
--> statement-breakpoint
CREATE TABLE "attempt" (
	"run_id" uuid NOT NULL,
	"case_id" text NOT NULL,
	"trial" integer DEFAULT 1 NOT NULL,
	"attempt" integer NOT NULL,
	"result" text,
	"not_begun" text,
	"answer" text,
	"error_code" text,
	"error_message" text,
	"model_label" text,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"latency_ms" integer,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_usd" double precision,
	"migrated" boolean DEFAULT false NOT NULL,
	"journal" text,
	"journal_key" text,
	CONSTRAINT "attempt_run_id_case_id_trial_attempt_pk" PRIMARY KEY("run_id","case_id","trial","attempt"),
	CONSTRAINT "attempt_number_positive" CHECK ("attempt"."attempt" >= 1),
	CONSTRAINT "attempt_result" CHECK ("attempt"."result" in ('answered', 'error', 'passed', 'failed', 'timeout', 'max_steps', 'adapter_error', 'tool_error')),
	CONSTRAINT "attempt_latency_positive" CHECK ("attempt"."latency_ms" >= 0),
	CONSTRAINT "attempt_result_rules" CHECK (case "attempt"."result"
        when 'answered' then "attempt"."answer" is not null and "attempt"."error_code" is null
        when 'error' then "attempt"."error_code" is not null
        else true
      end),
	CONSTRAINT "attempt_journal_rules" CHECK (num_nonnulls("attempt"."journal", "attempt"."journal_key") between case when "attempt"."result" is null then 0 else 1 end and 1)
);
--> statement-breakpoint
CREATE TABLE "attempt_event" (
	"run_id" uuid NOT NULL,
	"case_id" text NOT NULL,
	"trial" integer NOT NULL,
	"attempt" integer NOT NULL,
	"seq" integer NOT NULL,
	"line" text NOT NULL,
	CONSTRAINT "attempt_event_run_id_case_id_trial_attempt_seq_pk" PRIMARY KEY("run_id","case_id","trial","attempt","seq")
);
--> statement-breakpoint
-- Renamed, not copied: its trigger refuses every update, and no row is written anew.
ALTER TABLE "score" RENAME TO "grade";
--> statement-breakpoint
ALTER SEQUENCE "score_id_seq" RENAME TO "grade_id_seq";
--> statement-breakpoint
ALTER TABLE "grade" RENAME CONSTRAINT "score_pkey" TO "grade_pkey";
--> statement-breakpoint
ALTER TABLE "grade" RENAME COLUMN "dataset_item_id" TO "case_id";
--> statement-breakpoint
ALTER TABLE "grade" RENAME COLUMN "attempt" TO "round";
--> statement-breakpoint
ALTER TABLE "grade" RENAME COLUMN "method" TO "grader";
--> statement-breakpoint
ALTER TABLE "grade" RENAME COLUMN "value" TO "score";
--> statement-breakpoint
ALTER TABLE "grade" RENAME COLUMN "detail" TO "details";
--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "trial" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "attempt" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "grade" ADD COLUMN "artifacts" jsonb;
--> statement-breakpoint
ALTER TABLE "grade" DROP CONSTRAINT "score_run_item";
--> statement-breakpoint
ALTER TABLE "grade" DROP CONSTRAINT "score_once_an_attempt";
--> statement-breakpoint
ALTER TABLE "grade" RENAME CONSTRAINT "score_attempt_positive" TO "grade_round_positive";
--> statement-breakpoint
ALTER TABLE "grade" RENAME CONSTRAINT "score_verdict" TO "grade_verdict";
--> statement-breakpoint
ALTER TABLE "grade" RENAME CONSTRAINT "score_value_range" TO "grade_score_range";
--> statement-breakpoint
ALTER TABLE "grade" RENAME CONSTRAINT "score_value_rules" TO "grade_score_rules";
--> statement-breakpoint
ALTER TABLE "grade" ADD CONSTRAINT "grade_once_a_round" UNIQUE("run_id","case_id","trial","attempt","grader","round");
--> statement-breakpoint
ALTER TABLE "grade" ADD CONSTRAINT "grade_attempt_positive" CHECK ("grade"."attempt" >= 0);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION score_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'grade is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
ALTER FUNCTION score_is_append_only() RENAME TO grade_is_append_only;
--> statement-breakpoint
ALTER TRIGGER score_append_only_rows ON "grade" RENAME TO grade_append_only_rows;
--> statement-breakpoint
ALTER TRIGGER score_append_only_table ON "grade" RENAME TO grade_append_only_table;
--> statement-breakpoint
ALTER TABLE "run" ALTER COLUMN "dataset_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "run" ALTER COLUMN "provider_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "run" ALTER COLUMN "provider_surface" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "run" RENAME COLUMN "scoring_status" TO "grading_status";
--> statement-breakpoint
ALTER TABLE "run" RENAME COLUMN "scoring_reason" TO "grading_reason";
--> statement-breakpoint
ALTER TABLE "run" RENAME COLUMN "scoring_attempt" TO "grading_round";
--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "plan" jsonb;
--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "input_tokens" bigint;
--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "output_tokens" bigint;
--> statement-breakpoint
ALTER TABLE "run" ADD COLUMN "cost_usd" double precision;
--> statement-breakpoint
ALTER TABLE "run" RENAME CONSTRAINT "run_scoring_status" TO "run_grading_status";
--> statement-breakpoint
ALTER TABLE "run" RENAME CONSTRAINT "run_scoring_attempt_positive" TO "run_grading_round_positive";
--> statement-breakpoint
ALTER TABLE "run" DROP CONSTRAINT "run_surface_rules";
--> statement-breakpoint
ALTER TABLE "run" DROP CONSTRAINT "run_version_hash_form";
--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_surface_rules" CHECK (("run"."provider_surface" is not distinct from 'browser') = ("run"."triggered_by" = 'browser_harness') and ("run"."provider_surface" is not distinct from 'browser') = ("run"."imported_at" is not null));
--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_version_hash_form" CHECK ("run"."dataset_id" is null or "run"."dataset_version_hash" ~ '^[0-9a-f]{64}$');
--> statement-breakpoint
ALTER TABLE "run" ADD CONSTRAINT "run_provider_rules" CHECK (("run"."provider_id" is null) = ("run"."provider_surface" is null));
--> statement-breakpoint
ALTER INDEX "run_scoring_newest" RENAME TO "run_grading_newest";
--> statement-breakpoint
ALTER TABLE "run_event" RENAME COLUMN "scoring_status" TO "grading_status";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION run_event_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(752002);
  -- A run that was deleted again in the same transaction never was.
  INSERT INTO run_event (run_id, event, status, grading_status)
    SELECT id, TG_ARGV[0], NEW.status, NEW.grading_status FROM run WHERE id = NEW.id;
  PERFORM pg_notify('waymark', 'runs');
  RETURN NULL;
END
$$;
--> statement-breakpoint
ALTER TABLE "import" RENAME COLUMN "scoring_queued" TO "grading_queued";
--> statement-breakpoint
DROP TABLE "artifact";
--> statement-breakpoint
DROP TABLE "episode";
--> statement-breakpoint
ALTER TABLE "cell" ADD CONSTRAINT "cell_run" FOREIGN KEY ("run_id") REFERENCES "public"."run"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_cell" FOREIGN KEY ("run_id","case_id","trial") REFERENCES "public"."cell"("run_id","case_id","trial") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "attempt_event" ADD CONSTRAINT "attempt_event_attempt" FOREIGN KEY ("run_id","case_id","trial","attempt") REFERENCES "public"."attempt"("run_id","case_id","trial","attempt") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- The cells of old grades come later: until then, only new rows are checked.
ALTER TABLE "grade" ADD CONSTRAINT "grade_cell" FOREIGN KEY ("run_id","case_id","trial") REFERENCES "public"."cell"("run_id","case_id","trial") ON DELETE cascade ON UPDATE no action NOT VALID;
--> statement-breakpoint
CREATE INDEX "cell_open" ON "cell" USING btree ("run_id","seq") WHERE state in ('pending', 'running');
