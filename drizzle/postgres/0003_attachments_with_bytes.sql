-- Until now a record of an attachment stood for no file, and nothing but tests could make one.
DELETE FROM "attachments";
--> statement-breakpoint
ALTER TABLE "attachments" ADD COLUMN "sha256" text COLLATE "C" NOT NULL;
