CREATE TABLE "webhook_replays" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"webhook_id" text COLLATE "C" NOT NULL,
	"since" text COLLATE "C" NOT NULL,
	"until" text COLLATE "C",
	"after_transaction" bigint NOT NULL,
	"after_number" bigint NOT NULL,
	"last_transaction" bigint NOT NULL,
	"last_number" bigint NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "webhook_replays_tenant_id_webhook_id_pk" PRIMARY KEY("tenant_id","webhook_id")
);

--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "transaction_number" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_tenant_id_webhook_id_webhooks_tenant_id_id_fk" FOREIGN KEY ("tenant_id","webhook_id") REFERENCES "public"."webhooks"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "events_log" ON "events" USING btree ("tenant_id","transaction_number","number","event");
--> statement-breakpoint
CREATE FUNCTION "transaction_number"("of" xid8) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT "of"::text::bigint + 0 $$;
