DROP INDEX "responses_contact";
--> statement-breakpoint
CREATE INDEX "responses_contact" ON "responses" USING btree ("tenant_id","contact_id","id","form_id") WHERE "responses"."contact_id" is not null;
