ALTER TABLE "sessions" ADD COLUMN "method" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "requires_second_factor" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "provider_issuer" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "provider_subject" text COLLATE "C";
--> statement-breakpoint
CREATE UNIQUE INDEX "users_provider" ON "users" USING btree ("provider_issuer","provider_subject");
