CREATE TABLE "calendars" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"owner_id" text COLLATE "C" NOT NULL,
	"inbox_id" text COLLATE "C",
	"source_id" text COLLATE "C",
	"zone" text COLLATE "C" NOT NULL,
	"hours" text COLLATE "C" NOT NULL,
	"days_off" text COLLATE "C" NOT NULL,
	CONSTRAINT "calendars_tenant_id_owner_id_pk" PRIMARY KEY("tenant_id","owner_id")
);

--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_tenant_id_inbox_id_inboxes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","inbox_id") REFERENCES "public"."inboxes"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_tenant_id_source_id_livechat_sources_tenant_id_id_fk" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."livechat_sources"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "calendars_inbox" ON "calendars" USING btree ("tenant_id","inbox_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "calendars_source" ON "calendars" USING btree ("tenant_id","source_id");
--> statement-breakpoint
-- The last word of the hours is their time zone.
INSERT INTO calendars (tenant_id, owner_id, inbox_id, source_id, zone, hours, days_off)
SELECT tenant_id, source_id, NULL, source_id, substr(hours, length(rtrim(hours, replace(hours, ' ', ''))) + 1), rtrim(rtrim(hours, replace(hours, ' ', ''))), '[]'
FROM chat_settings WHERE hours IS NOT NULL;
--> statement-breakpoint
INSERT INTO calendars (tenant_id, owner_id, inbox_id, source_id, zone, hours, days_off)
SELECT tenant_id, inbox_id, inbox_id, NULL, substr(hours, length(rtrim(hours, replace(hours, ' ', ''))) + 1), rtrim(rtrim(hours, replace(hours, ' ', ''))), '[]'
FROM inbox_answers WHERE hours IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "chat_settings" DROP COLUMN "hours";
--> statement-breakpoint
ALTER TABLE "inbox_answers" DROP COLUMN "hours";
