ALTER TABLE "reply_drafts" ADD COLUMN "to_addresses" text COLLATE "C";
--> statement-breakpoint
UPDATE "reply_drafts" SET "to_addresses" = '[]';