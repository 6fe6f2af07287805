ALTER TABLE "inboxes" ADD COLUMN "archived_at" text COLLATE "C";
