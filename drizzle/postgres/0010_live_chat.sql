CREATE TABLE "chat_mails" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C",
	"first_message_id" text COLLATE "C" NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"due_at" text COLLATE "C",
	"ended_at" text COLLATE "C",
	"error" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "chat_mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
CREATE TABLE "chat_settings" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"origins" text COLLATE "C",
	"hours" text COLLATE "C",
	"email_inbox_id" text COLLATE "C",
	"away_text" text COLLATE "C",
	"hides_when_away" boolean DEFAULT false NOT NULL,
	"accent" text COLLATE "C",
	"language" text COLLATE "C",
	"sealed_secret" text COLLATE "C",
	CONSTRAINT "chat_settings_tenant_id_source_id_pk" PRIMARY KEY("tenant_id","source_id")
);

--> statement-breakpoint
CREATE TABLE "client_messages" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "client_messages_tenant_id_ticket_id_client_id_pk" PRIMARY KEY("tenant_id","ticket_id","client_id")
);

--> statement-breakpoint
CREATE TABLE "conversations" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"visitor_id" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "conversations_tenant_id_ticket_id_pk" PRIMARY KEY("tenant_id","ticket_id")
);

--> statement-breakpoint
ALTER TABLE "visitors" ADD COLUMN "is_verified" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "visitors" ADD COLUMN "wrote_at" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "chat_mails" ADD CONSTRAINT "chat_mails_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_mails" ADD CONSTRAINT "chat_mails_tenant_id_ticket_id_conversations_tenant_id_ticket_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."conversations"("tenant_id","ticket_id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "chat_settings" ADD CONSTRAINT "chat_settings_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_settings" ADD CONSTRAINT "chat_settings_tenant_id_source_id_livechat_sources_tenant_id_id_fk" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."livechat_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_settings" ADD CONSTRAINT "chat_settings_tenant_id_email_inbox_id_inboxes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","email_inbox_id") REFERENCES "public"."inboxes"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "client_messages" ADD CONSTRAINT "client_messages_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "client_messages" ADD CONSTRAINT "client_messages_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_tenant_id_visitor_id_visitors_tenant_id_id_fk" FOREIGN KEY ("tenant_id","visitor_id") REFERENCES "public"."visitors"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "chat_mails_waiting" ON "chat_mails" USING btree ("tenant_id","ticket_id") WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "chat_mails_conversation" ON "chat_mails" USING btree ("tenant_id","ticket_id");
--> statement-breakpoint
CREATE INDEX "chat_mails_due" ON "chat_mails" USING btree ("due_at") WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "chat_mails_ended" ON "chat_mails" USING btree ("ended_at") WHERE ended_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "chat_mails_address" ON "chat_mails" USING btree ("tenant_id","address","ended_at");
--> statement-breakpoint
CREATE INDEX "client_messages_message" ON "client_messages" USING btree ("tenant_id","message_id");
--> statement-breakpoint
CREATE INDEX "conversations_visitor" ON "conversations" USING btree ("tenant_id","visitor_id","ticket_id");
--> statement-breakpoint
CREATE INDEX "livechat_sources_id" ON "livechat_sources" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "visitors_silent" ON "visitors" USING btree ("created_at") WHERE wrote_at IS NULL;
