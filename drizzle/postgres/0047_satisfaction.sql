CREATE TABLE "form_requests" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "form_requests_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);

--> statement-breakpoint
CREATE TABLE "satisfaction_forms" (
	"tenant_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"form_id" text COLLATE "C" NOT NULL
);

--> statement-breakpoint
CREATE TABLE "ticket_responses" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"response_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"satisfaction" bigint,
	"rated_at" text COLLATE "C",
	CONSTRAINT "ticket_responses_tenant_id_response_id_pk" PRIMARY KEY("tenant_id","response_id")
);

--> statement-breakpoint
ALTER TABLE "form_requests" ADD CONSTRAINT "form_requests_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "form_requests" ADD CONSTRAINT "form_requests_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "form_requests" ADD CONSTRAINT "form_requests_tenant_id_form_id_forms_tenant_id_id_fk" FOREIGN KEY ("tenant_id","form_id") REFERENCES "public"."forms"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "satisfaction_forms" ADD CONSTRAINT "satisfaction_forms_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "satisfaction_forms" ADD CONSTRAINT "satisfaction_forms_tenant_id_form_id_forms_tenant_id_id_fk" FOREIGN KEY ("tenant_id","form_id") REFERENCES "public"."forms"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_responses" ADD CONSTRAINT "ticket_responses_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_responses" ADD CONSTRAINT "ticket_responses_tenant_id_response_id_responses_tenant_id_id_fk" FOREIGN KEY ("tenant_id","response_id") REFERENCES "public"."responses"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ticket_responses" ADD CONSTRAINT "ticket_responses_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "form_requests_form" ON "form_requests" USING btree ("tenant_id","form_id");
--> statement-breakpoint
CREATE INDEX "ticket_responses_ticket" ON "ticket_responses" USING btree ("tenant_id","ticket_id","response_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_responses_rating" ON "ticket_responses" USING btree ("tenant_id","ticket_id") WHERE "ticket_responses"."satisfaction" is not null;
--> statement-breakpoint
CREATE INDEX "ticket_responses_rated" ON "ticket_responses" USING btree ("tenant_id","rated_at") WHERE "ticket_responses"."rated_at" is not null;
