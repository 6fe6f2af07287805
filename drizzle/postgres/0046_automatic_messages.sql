ALTER TABLE "messages" ADD COLUMN "is_automatic" boolean DEFAULT false NOT NULL;
