ALTER TABLE "notifications" ADD COLUMN "kind" text COLLATE "C" DEFAULT 'response' NOT NULL;
--> statement-breakpoint
CREATE INDEX "notifications_respondent" ON "notifications" USING btree ("tenant_id","address","created_at") WHERE kind <> 'response';
