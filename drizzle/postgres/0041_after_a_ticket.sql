ALTER TABLE "pending_replies" ADD COLUMN "then_status" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "pending_replies" ADD COLUMN "then_snoozed_until" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "after_done" text COLLATE "C" DEFAULT 'next' NOT NULL;
--> statement-breakpoint
UPDATE "pending_replies" SET "then_status" = 'closed' WHERE "closes_ticket";
