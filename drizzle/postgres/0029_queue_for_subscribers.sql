DROP INDEX "audit_entries_consent";
--> statement-breakpoint
CREATE INDEX "audit_entries_consent" ON "audit_entries" USING btree ("tenant_id","record_id","number") WHERE ("audit_entries"."action" = 'contact.subscribed' OR "audit_entries"."action" = 'contact.unsubscribed' OR "audit_entries"."action" = 'contact.group_joined' OR "audit_entries"."action" = 'contact.group_left');
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "queue_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "webhooks" WHERE "tenant_id" = NEW."tenant_id" AND "active" AND "deleted_at" IS NULL) THEN
    INSERT INTO "event_queue" ("number") VALUES (NEW."number");
  END IF;
  RETURN NULL;
END
$$;
