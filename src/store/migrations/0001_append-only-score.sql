-- A score is never changed. It goes only together with its run: then the deletion comes from a foreign key's own trigger,
-- and this one is the second on the stack.
CREATE FUNCTION score_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'score is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER score_append_only_rows BEFORE UPDATE OR DELETE ON "score"
  FOR EACH ROW EXECUTE FUNCTION score_is_append_only();
--> statement-breakpoint
CREATE TRIGGER score_append_only_table BEFORE TRUNCATE ON "score"
  FOR EACH STATEMENT EXECUTE FUNCTION score_is_append_only();
