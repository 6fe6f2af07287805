CREATE INDEX "tickets_status_changed" ON "tickets" USING btree ("tenant_id","status","updated_at","id");
--> statement-breakpoint
CREATE INDEX "tickets_assignee_changed" ON "tickets" USING btree ("tenant_id","assignee_id","updated_at","id") WHERE "tickets"."assignee_id" is not null;
--> statement-breakpoint
CREATE INDEX "tickets_snoozed_changed" ON "tickets" USING btree ("tenant_id","updated_at","id") WHERE "tickets"."snoozed_until" is not null;
