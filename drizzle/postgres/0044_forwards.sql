CREATE TABLE "forwards" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"forwarded_id" text COLLATE "C" NOT NULL,
	"left_out" text COLLATE "C" NOT NULL,
	CONSTRAINT "forwards_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);

--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD COLUMN "forwarded_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD COLUMN "left_out" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "forwards" ADD CONSTRAINT "forwards_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "forwards" ADD CONSTRAINT "forwards_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
CREATE INDEX "forwards_forwarded" ON "forwards" USING btree ("tenant_id","forwarded_id");
--> statement-breakpoint
CREATE INDEX "reply_drafts_forwarded" ON "reply_drafts" USING btree ("tenant_id","forwarded_id") WHERE "reply_drafts"."forwarded_id" is not null;
