ALTER TABLE "messages" ADD COLUMN "origin" text COLLATE "C";
