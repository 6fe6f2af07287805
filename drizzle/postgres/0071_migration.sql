DROP INDEX "attachments_message";
--> statement-breakpoint
ALTER TABLE "attachments" ADD COLUMN "position" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX "attachments_message" ON "attachments" USING btree ("tenant_id","message_id","position","id");
