CREATE TABLE "answered_senders" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"inbox_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"answered_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "answered_senders_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);

--> statement-breakpoint
CREATE TABLE "inbox_answers" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"inbox_id" text COLLATE "C" NOT NULL,
	"acknowledges" boolean NOT NULL,
	"acknowledgement" text COLLATE "C" NOT NULL,
	"answers_out_of_hours" boolean NOT NULL,
	"out_of_hours" text COLLATE "C" NOT NULL,
	"hours" text COLLATE "C",
	CONSTRAINT "inbox_answers_tenant_id_inbox_id_pk" PRIMARY KEY("tenant_id","inbox_id")
);

--> statement-breakpoint
ALTER TABLE "answered_senders" ADD CONSTRAINT "answered_senders_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "answered_senders" ADD CONSTRAINT "answered_senders_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "inbox_answers" ADD CONSTRAINT "inbox_answers_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "inbox_answers" ADD CONSTRAINT "inbox_answers_tenant_id_inbox_id_inboxes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","inbox_id") REFERENCES "public"."inboxes"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "answered_senders_address" ON "answered_senders" USING btree ("tenant_id","inbox_id","address","kind","answered_at");
