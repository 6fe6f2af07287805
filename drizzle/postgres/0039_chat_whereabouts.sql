ALTER TABLE "conversations" ADD COLUMN "page" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "read_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "read_at" text COLLATE "C";
