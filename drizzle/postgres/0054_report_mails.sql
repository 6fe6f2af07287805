CREATE TABLE "report_mails" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"inbox_id" text COLLATE "C",
	"team_id" text COLLATE "C",
	"due_at" text COLLATE "C",
	"attempts" bigint DEFAULT 0 NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "report_mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "report_mails" ADD CONSTRAINT "report_mails_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "report_mails" ADD CONSTRAINT "report_mails_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "report_mails" ADD CONSTRAINT "report_mails_tenant_id_inbox_id_inboxes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","inbox_id") REFERENCES "public"."inboxes"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "report_mails" ADD CONSTRAINT "report_mails_tenant_id_team_id_teams_tenant_id_id_fk" FOREIGN KEY ("tenant_id","team_id") REFERENCES "public"."teams"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "report_mails_due" ON "report_mails" USING btree ("due_at") WHERE "report_mails"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX "report_mails_user" ON "report_mails" USING btree ("tenant_id","user_id");
--> statement-breakpoint
CREATE INDEX "report_mails_inbox" ON "report_mails" USING btree ("tenant_id","inbox_id") WHERE "report_mails"."inbox_id" is not null;
--> statement-breakpoint
CREATE INDEX "report_mails_team" ON "report_mails" USING btree ("tenant_id","team_id") WHERE "report_mails"."team_id" is not null;
