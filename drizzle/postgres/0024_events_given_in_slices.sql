ALTER TABLE "event_queue" ADD COLUMN "given_to" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_batches" ADD COLUMN "closed_at" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_lists" ADD COLUMN "events_hash" text COLLATE "C";
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_lists_events" ON "webhook_lists" USING btree ("tenant_id","events_hash") WHERE "webhook_lists"."events_hash" IS NOT NULL;
