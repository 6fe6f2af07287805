ALTER TABLE "tenants" ADD COLUMN "leaving" boolean DEFAULT false NOT NULL;
