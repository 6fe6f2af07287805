DROP INDEX "messages_mail";
--> statement-breakpoint
CREATE INDEX "messages_mail" ON "messages" USING btree ("tenant_id","mail_id");
