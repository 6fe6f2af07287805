ALTER TABLE "tenants" ADD COLUMN "accent" text COLLATE "C";
