ALTER TABLE "messages" ADD COLUMN "bcc_addresses" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD COLUMN "bcc_addresses" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "messages_bcc" ON "messages" USING btree ("tenant_id","ticket_id","id") WHERE "messages"."bcc_addresses" is not null;
