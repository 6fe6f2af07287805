DROP INDEX "contact_groups_group";
--> statement-breakpoint
DROP INDEX "contacts_organisation";
--> statement-breakpoint
DROP INDEX "responses_contact";
--> statement-breakpoint
CREATE INDEX "audit_entries_consent" ON "audit_entries" USING btree ("tenant_id","record_id","number") WHERE "audit_entries"."action" IN ('contact.subscribed', 'contact.unsubscribed');
--> statement-breakpoint
CREATE INDEX "contacts_name" ON "contacts" USING btree ("tenant_id",lower(name),"id") WHERE "contacts"."name" is not null;
--> statement-breakpoint
CREATE INDEX "contacts_last_name" ON "contacts" USING btree ("tenant_id",lower(last_name),"id") WHERE "contacts"."last_name" is not null;
--> statement-breakpoint
CREATE INDEX "contact_groups_group" ON "contact_groups" USING btree ("tenant_id","group_id","contact_id");
--> statement-breakpoint
CREATE INDEX "contacts_organisation" ON "contacts" USING btree ("tenant_id","organisation_id","id") WHERE "contacts"."organisation_id" is not null;
--> statement-breakpoint
CREATE INDEX "responses_contact" ON "responses" USING btree ("tenant_id","contact_id","id");
