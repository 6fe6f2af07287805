ALTER TABLE "custom_fields" ADD COLUMN "type" text COLLATE "C";
