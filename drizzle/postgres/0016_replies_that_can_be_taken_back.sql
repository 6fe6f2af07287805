CREATE TABLE "pending_replies" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"due_at" text COLLATE "C",
	"closes_ticket" boolean NOT NULL,
	"address" text COLLATE "C",
	CONSTRAINT "pending_replies_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);

--> statement-breakpoint
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
CREATE INDEX "pending_replies_due" ON "pending_replies" USING btree ("due_at") WHERE "pending_replies"."due_at" is not null;
