ALTER TABLE "groups" ADD COLUMN "deleted_at" text COLLATE "C";
