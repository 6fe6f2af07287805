CREATE TABLE "mailboxes" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"inbox_id" text COLLATE "C" NOT NULL,
	"revision" text COLLATE "C" NOT NULL,
	"imap" text COLLATE "C" NOT NULL,
	"smtp" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C",
	"sealed_secret" text COLLATE "C" NOT NULL,
	"sealed_access" text COLLATE "C",
	"access_until" text COLLATE "C",
	"uid_validity" bigint NOT NULL,
	"last_uid" bigint NOT NULL,
	"oldest_at" text COLLATE "C",
	"last_mail_at" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"problem" text COLLATE "C",
	"detail" text COLLATE "C",
	"since" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "mailboxes_tenant_id_inbox_id_pk" PRIMARY KEY("tenant_id","inbox_id")
);

--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_tenant_id_inbox_id_inboxes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","inbox_id") REFERENCES "public"."inboxes"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "mailboxes_failing" ON "mailboxes" USING btree ("tenant_id","inbox_id") WHERE state = 'failing';
