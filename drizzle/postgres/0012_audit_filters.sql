CREATE INDEX "audit_entries_author" ON "audit_entries" USING btree ("tenant_id","author_id","position") WHERE "audit_entries"."position" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "audit_entries_record" ON "audit_entries" USING btree ("tenant_id","record_id","position") WHERE "audit_entries"."position" IS NOT NULL;
