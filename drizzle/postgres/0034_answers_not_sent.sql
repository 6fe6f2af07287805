ALTER TABLE "messages" ADD COLUMN "error_settled_at" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "messages_unsent" ON "messages" USING btree ("tenant_id","ticket_id") WHERE error IS NOT NULL AND error_settled_at IS NULL AND state IN ('failed', 'public');
