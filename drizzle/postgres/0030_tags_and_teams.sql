CREATE TABLE "tags" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"comparable_name" text COLLATE "C" NOT NULL,
	"colour" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "tags_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
CREATE TABLE "team_members" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "team_members_tenant_id_team_id_user_id_pk" PRIMARY KEY("tenant_id","team_id","user_id")
);

--> statement-breakpoint
CREATE TABLE "teams" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"comparable_name" text COLLATE "C" NOT NULL,
	"distribution" text COLLATE "C" NOT NULL,
	"last_chosen_id" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "teams_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
CREATE TABLE "ticket_tags" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"tag_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "ticket_tags_tenant_id_ticket_id_tag_id_pk" PRIMARY KEY("tenant_id","ticket_id","tag_id")
);

--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "team_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "away" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_tenant_id_team_id_teams_tenant_id_id_fk" FOREIGN KEY ("tenant_id","team_id") REFERENCES "public"."teams"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_tag_id_tags_tenant_id_id_fk" FOREIGN KEY ("tenant_id","tag_id") REFERENCES "public"."tags"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree ("tenant_id","comparable_name");
--> statement-breakpoint
CREATE INDEX "team_members_user" ON "team_members" USING btree ("tenant_id","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "teams_name" ON "teams" USING btree ("tenant_id","comparable_name");
--> statement-breakpoint
CREATE INDEX "ticket_tags_tag" ON "ticket_tags" USING btree ("tenant_id","tag_id","ticket_id");
--> statement-breakpoint
CREATE INDEX "tickets_assignee" ON "tickets" USING btree ("tenant_id","assignee_id","id") WHERE "tickets"."assignee_id" is not null;
--> statement-breakpoint
CREATE INDEX "tickets_assignee_open" ON "tickets" USING btree ("tenant_id","assignee_id") WHERE "tickets"."assignee_id" IS NOT NULL AND "tickets"."status" = 'open';
--> statement-breakpoint
CREATE INDEX "tickets_team" ON "tickets" USING btree ("tenant_id","team_id","id") WHERE "tickets"."team_id" is not null;
--> statement-breakpoint
CREATE INDEX "tickets_team_changed" ON "tickets" USING btree ("tenant_id","team_id","updated_at","id") WHERE "tickets"."team_id" is not null;
