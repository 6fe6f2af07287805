DROP INDEX "audit_entries_consent";
--> statement-breakpoint
CREATE INDEX "audit_entries_consent" ON "audit_entries" USING btree ("tenant_id","record_id","number") WHERE "audit_entries"."action" IN ('contact.subscribed', 'contact.unsubscribed', 'contact.group_joined', 'contact.group_left');
