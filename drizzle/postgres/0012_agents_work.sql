CREATE TABLE "ticket_merges" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"into_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"snoozed_until" text COLLATE "C",
	"closed_at" text COLLATE "C",
	"into_excerpt" text COLLATE "C" NOT NULL,
	"into_last_message_at" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "ticket_merges_tenant_id_ticket_id_pk" PRIMARY KEY("tenant_id","ticket_id")
);

--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "written_in_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "assignee_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "name" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "signature" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "ticket_merges" ADD CONSTRAINT "ticket_merges_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_merges" ADD CONSTRAINT "ticket_merges_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_merges" ADD CONSTRAINT "ticket_merges_tenant_id_into_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","into_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "ticket_merges_into" ON "ticket_merges" USING btree ("tenant_id","into_id");
