ALTER TABLE "events" ADD COLUMN "response_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "responses" ADD COLUMN "tell_at" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "events_response" ON "events" USING btree ("tenant_id","response_id") WHERE "events"."response_id" is not null;
--> statement-breakpoint
CREATE INDEX "responses_untold" ON "responses" USING btree ("tell_at") WHERE "responses"."tell_at" is not null;
