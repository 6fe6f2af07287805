CREATE TABLE "pending_replies" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"due_at" text COLLATE "C",
	"closes_ticket" boolean NOT NULL,
	"address" text COLLATE "C",
	CONSTRAINT "pending_replies_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);

--> statement-breakpoint
CREATE TABLE "reply_drafts" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"html" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"cc_addresses" text COLLATE "C" NOT NULL,
	"saved_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "reply_drafts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "attachments" ALTER COLUMN "message_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "attachments" ADD COLUMN "draft_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pending_replies" ADD CONSTRAINT "pending_replies_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD CONSTRAINT "reply_drafts_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD CONSTRAINT "reply_drafts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD CONSTRAINT "reply_drafts_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "pending_replies_due" ON "pending_replies" USING btree ("due_at") WHERE "pending_replies"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX "reply_drafts_ticket" ON "reply_drafts" USING btree ("tenant_id","ticket_id","user_id","id");
--> statement-breakpoint
CREATE INDEX "reply_drafts_user" ON "reply_drafts" USING btree ("tenant_id","user_id");
--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_tenant_id_draft_id_reply_drafts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","draft_id") REFERENCES "public"."reply_drafts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "attachments_draft" ON "attachments" USING btree ("tenant_id","draft_id","id") WHERE "attachments"."draft_id" is not null;
