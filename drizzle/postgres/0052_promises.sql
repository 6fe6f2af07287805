CREATE TABLE "calendar_recounts" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"after" text COLLATE "C" NOT NULL,
	"finds_anew" boolean NOT NULL,
	CONSTRAINT "calendar_recounts_tenant_id_pk" PRIMARY KEY("tenant_id")
);

--> statement-breakpoint
CREATE TABLE "promise_clocks" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"promise_id" text COLLATE "C" NOT NULL,
	"started_at" text COLLATE "C" NOT NULL,
	"target" bigint NOT NULL,
	"pauses" text COLLATE "C" NOT NULL,
	"due_at" text COLLATE "C",
	"broken_at" text COLLATE "C",
	CONSTRAINT "promise_clocks_tenant_id_ticket_id_kind_pk" PRIMARY KEY("tenant_id","ticket_id","kind")
);

--> statement-breakpoint
CREATE TABLE "promise_outcomes" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"started_at" text COLLATE "C" NOT NULL,
	"promise_id" text COLLATE "C" NOT NULL,
	"due_at" text COLLATE "C",
	"decided_at" text COLLATE "C" NOT NULL,
	"kept" boolean NOT NULL,
	CONSTRAINT "promise_outcomes_tenant_id_ticket_id_kind_started_at_pk" PRIMARY KEY("tenant_id","ticket_id","kind","started_at")
);

--> statement-breakpoint
CREATE TABLE "promises" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"position" bigint NOT NULL,
	"conditions" text COLLATE "C",
	"targets" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "promises_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "promise_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "due_at" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "calendar_recounts" ADD CONSTRAINT "calendar_recounts_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "promise_clocks" ADD CONSTRAINT "promise_clocks_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "promise_clocks" ADD CONSTRAINT "promise_clocks_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "promise_outcomes" ADD CONSTRAINT "promise_outcomes_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "promise_outcomes" ADD CONSTRAINT "promise_outcomes_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "promises" ADD CONSTRAINT "promises_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "promise_clocks_due" ON "promise_clocks" USING btree ("due_at") WHERE due_at IS NOT NULL AND broken_at IS NULL;
--> statement-breakpoint
CREATE INDEX "promise_outcomes_decided" ON "promise_outcomes" USING btree ("tenant_id","decided_at");
--> statement-breakpoint
CREATE INDEX "tickets_due" ON "tickets" USING btree ("tenant_id","id") WHERE "tickets"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX "tickets_due_at" ON "tickets" USING btree ("tenant_id","due_at","id") WHERE "tickets"."due_at" is not null;
