ALTER TABLE "pending_replies" ADD COLUMN "attempts" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "pending_replies" ADD COLUMN "via" text COLLATE "C" DEFAULT 'console' NOT NULL;
