CREATE TABLE "key_binding" (
	"key_env" text PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
