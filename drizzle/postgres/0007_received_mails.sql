CREATE TABLE "received_mails" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"inbox_id" text COLLATE "C" NOT NULL,
	"mail_id" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"message_id" text COLLATE "C",
	"from_address" text COLLATE "C",
	"subject" text COLLATE "C",
	"automatic_from" text COLLATE "C",
	"authentication" text COLLATE "C",
	"envelope" text COLLATE "C",
	"size" bigint NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"kept_in" text COLLATE "C",
	"content" text COLLATE "C",
	"received_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "received_mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "received_mails" ADD CONSTRAINT "received_mails_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "received_mails" ADD CONSTRAINT "received_mails_tenant_id_inbox_id_inboxes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","inbox_id") REFERENCES "public"."inboxes"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "received_mails" ADD CONSTRAINT "received_mails_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
CREATE UNIQUE INDEX "received_mails_mail" ON "received_mails" USING btree ("tenant_id","inbox_id","mail_id");
--> statement-breakpoint
CREATE INDEX "received_mails_message" ON "received_mails" USING btree ("tenant_id","message_id");
--> statement-breakpoint
CREATE INDEX "received_mails_kept" ON "received_mails" USING btree ("received_at") WHERE kept_in IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "received_mails_quarantined" ON "received_mails" USING btree ("tenant_id","id") WHERE outcome = 'quarantined';
--> statement-breakpoint
CREATE INDEX "received_mails_automatic" ON "received_mails" USING btree ("tenant_id","inbox_id","from_address","received_at") WHERE automatic_from IS NOT NULL;
