ALTER TABLE "tickets" ADD COLUMN "customer_since" text COLLATE "C";
