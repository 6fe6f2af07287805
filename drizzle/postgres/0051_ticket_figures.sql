CREATE TABLE "changed_tickets" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"changes" bigint NOT NULL,
	CONSTRAINT "changed_tickets_tenant_id_ticket_id_pk" PRIMARY KEY("tenant_id","ticket_id")
);

--> statement-breakpoint
CREATE TABLE "ticket_closings" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"closed_at" text COLLATE "C" NOT NULL,
	"reopened_at" text COLLATE "C",
	CONSTRAINT "ticket_closings_tenant_id_ticket_id_closed_at_pk" PRIMARY KEY("tenant_id","ticket_id","closed_at")
);

--> statement-breakpoint
CREATE TABLE "ticket_figures" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"is_counted" boolean NOT NULL,
	"opened_at" bigint NOT NULL,
	"inbox_id" text COLLATE "C" NOT NULL,
	"team_id" text COLLATE "C",
	"assignee_id" text COLLATE "C",
	"first_answered_at" text COLLATE "C",
	"closed_at" text COLLATE "C",
	"first_answer_time" bigint,
	"first_answer_working_time" bigint,
	"close_time" bigint,
	"close_working_time" bigint,
	"answers" text COLLATE "C",
	CONSTRAINT "ticket_figures_tenant_id_ticket_id_pk" PRIMARY KEY("tenant_id","ticket_id")
);

--> statement-breakpoint
ALTER TABLE "changed_tickets" ADD CONSTRAINT "changed_tickets_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "changed_tickets" ADD CONSTRAINT "changed_tickets_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_closings" ADD CONSTRAINT "ticket_closings_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_closings" ADD CONSTRAINT "ticket_closings_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_figures" ADD CONSTRAINT "ticket_figures_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_figures" ADD CONSTRAINT "ticket_figures_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "ticket_closings_closed" ON "ticket_closings" USING btree ("tenant_id","closed_at");
--> statement-breakpoint
CREATE INDEX "ticket_closings_reopened" ON "ticket_closings" USING btree ("tenant_id","reopened_at") WHERE "ticket_closings"."reopened_at" is not null;
--> statement-breakpoint
CREATE INDEX "ticket_figures_closed" ON "ticket_figures" USING btree ("tenant_id","closed_at") WHERE "ticket_figures"."closed_at" is not null;
--> statement-breakpoint
CREATE INDEX "ticket_figures_open" ON "ticket_figures" USING btree ("tenant_id","is_counted") WHERE "ticket_figures"."closed_at" is null;
--> statement-breakpoint
INSERT INTO "ticket_closings" ("tenant_id", "ticket_id", "closed_at") SELECT "tenant_id", "id", "closed_at" FROM "tickets" WHERE "closed_at" IS NOT NULL;
--> statement-breakpoint
INSERT INTO "changed_tickets" ("tenant_id", "ticket_id", "changes") SELECT "tenant_id", "id", 1 FROM "tickets";
